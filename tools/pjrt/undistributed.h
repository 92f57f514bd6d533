/* Declarations whose header no registry wheel carries. Interface facts of the PJRT C API (Apache-2.0, The OpenXLA
 * Authors); the compiled probe supplies every offset, as for the distributed headers. */
struct PJRT_Triton_Compile_Args {
  size_t struct_size;
  const char* module;
  size_t module_size;
  const char* arch_name;
  size_t arch_name_size;
  int num_warps;
  int num_ctas;
  int num_stages;
  const char* out_asm;
  size_t out_asm_size;
  int64_t out_smem_bytes;
  const char* out_path;
  size_t out_path_size;
};
typedef PJRT_Error* PJRT_Triton_Compile(struct PJRT_Triton_Compile_Args* args);
typedef struct PJRT_Triton_Extension {
  PJRT_Extension_Base base;
  PJRT_Triton_Compile* compile;
} PJRT_Triton_Extension;
