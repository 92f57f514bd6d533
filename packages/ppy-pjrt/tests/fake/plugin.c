/* A small PJRT plugin for tests: one device, malloc'd buffers, events that can be slow or fail. It computes nothing:
 * "executing" copies the first argument to every result. Offsets come from offsets.h, written by the tests from the
 * package's own ABI table. Behaviour is chosen by macros, so each variant is a library of its own. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "offsets.h"

#ifndef MINOR
#define MINOR 117
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE SIZE_PJRT_Api
#endif
#ifndef EVENT_DELAY_US
#define EVENT_DELAY_US 0
#endif
#ifndef EVENT_ERROR
#define EVENT_ERROR 0
#endif
#ifndef OUTPUTS
#define OUTPUTS 1
#endif

#define AT(args, type, field) (*(type*)((char*)(args) + field))
#define PTR(args, field) AT(args, void*, field)
#define NUM(args, field) AT(args, size_t, field)

static long live[5]; /* errors, events, buffers, executables, clients */
enum { ERRORS, EVENTS, BUFFERS, EXECUTABLES, CLIENTS };
long fake_live(int kind) { return __atomic_load_n(&live[kind], __ATOMIC_SEQ_CST); }
static void count(int kind, int by) { __atomic_add_fetch(&live[kind], by, __ATOMIC_SEQ_CST); }
static size_t last_struct_size;
size_t fake_last_struct_size(void) { return last_struct_size; }

typedef struct { int code; char text[160]; } Error;
static Error* fail(int code, const char* text) {
  Error* error = malloc(sizeof *error);
  error->code = code;
  snprintf(error->text, sizeof error->text, "%s", text);
  count(ERRORS, 1);
  return error;
}

typedef void (*Ready)(void*, void*);
typedef struct { pthread_mutex_t lock; pthread_cond_t cond; int ready, code, refs; Ready callback[8]; void* user[8]; int waiting; } Event;
typedef struct { size_t size; int type; size_t rank; int64_t dims[8]; void* data; int external; int deleted; } Buffer;
static int the_client, the_device, the_memory, the_description;

static Event* new_event(void) {
  Event* event = calloc(1, sizeof *event);
  pthread_mutex_init(&event->lock, 0);
  pthread_cond_init(&event->cond, 0);
  event->refs = 1;
  count(EVENTS, 1);
  return event;
}
static void drop_event(Event* event) {
  if (__atomic_sub_fetch(&event->refs, 1, __ATOMIC_SEQ_CST) == 0) { free(event); count(EVENTS, -1); }
}
static void set_event(Event* event, int code) {
  pthread_mutex_lock(&event->lock);
  event->code = code;
  event->ready = 1;
  int waiting = event->waiting;
  pthread_cond_broadcast(&event->cond);
  pthread_mutex_unlock(&event->lock);
  for (int i = 0; i < waiting; i++) event->callback[i](code ? fail(code, "the event failed") : 0, event->user[i]);
}
static void* later(void* raw) {
  usleep(EVENT_DELAY_US);
  set_event(raw, EVENT_ERROR);
  drop_event(raw);
  return 0;
}
static Event* finished_event(void) {
  Event* event = new_event();
  if (EVENT_DELAY_US) {
    pthread_t thread;
    event->refs++;
    pthread_create(&thread, 0, later, event);
    pthread_detach(thread);
  } else {
    set_event(event, EVENT_ERROR);
  }
  return event;
}

static void error_destroy(void* a) { free(PTR(a, O_PJRT_Error_Destroy_Args_error)); count(ERRORS, -1); }
static void error_message(void* a) {
  Error* error = PTR(a, O_PJRT_Error_Message_Args_error);
  PTR(a, O_PJRT_Error_Message_Args_message) = error->text;
  NUM(a, O_PJRT_Error_Message_Args_message_size) = strlen(error->text);
}
static void* error_code(void* a) {
  AT(a, int, O_PJRT_Error_GetCode_Args_code) = ((Error*)PTR(a, O_PJRT_Error_GetCode_Args_error))->code;
  return 0;
}
static void* ok(void* a) { (void)a; return 0; }
static void* event_destroy(void* a) { drop_event(PTR(a, O_PJRT_Event_Destroy_Args_event)); return 0; }
static void* event_ready(void* a) {
  AT(a, char, O_PJRT_Event_IsReady_Args_is_ready) = ((Event*)PTR(a, O_PJRT_Event_IsReady_Args_event))->ready;
  return 0;
}
static void* event_await(void* a) {
  Event* event = PTR(a, O_PJRT_Event_Await_Args_event);
  pthread_mutex_lock(&event->lock);
  while (!event->ready) pthread_cond_wait(&event->cond, &event->lock);
  pthread_mutex_unlock(&event->lock);
  return event->code ? fail(event->code, "the event failed") : 0;
}
static void* event_on_ready(void* a) {
  Event* event = PTR(a, O_PJRT_Event_OnReady_Args_event);
  Ready callback = (Ready)PTR(a, O_PJRT_Event_OnReady_Args_callback);
  void* user = PTR(a, O_PJRT_Event_OnReady_Args_user_arg);
  pthread_mutex_lock(&event->lock);
  int ready = event->ready;
  if (!ready) { event->callback[event->waiting] = callback; event->user[event->waiting++] = user; }
  pthread_mutex_unlock(&event->lock);
  if (ready) callback(event->code ? fail(event->code, "the event failed") : 0, user);
  return 0;
}
static void* event_create(void* a) { PTR(a, O_PJRT_Event_Create_Args_event) = new_event(); return 0; }
static void* event_set(void* a) { set_event(PTR(a, O_PJRT_Event_Set_Args_event), AT(a, int, O_PJRT_Event_Set_Args_error_code)); return 0; }

static void* client_create(void* a) {
  last_struct_size = NUM(a, 0);
#ifdef CREATE_ERROR
  return fail(CREATE_ERROR, "no device today");
#endif
  PTR(a, O_PJRT_Client_Create_Args_client) = &the_client;
  count(CLIENTS, 1);
  return 0;
}
static void* client_destroy(void* a) {
  (void)a;
  count(CLIENTS, -1);
  if (!fake_live(CLIENTS) && (fake_live(BUFFERS) || fake_live(EXECUTABLES))) abort(); /* children outlived their client */
  return 0;
}
static void* platform_name(void* a) {
  PTR(a, O_PJRT_Client_PlatformName_Args_platform_name) = (void*)"fake";
  NUM(a, O_PJRT_Client_PlatformName_Args_platform_name_size) = 4;
  return 0;
}
static void* devices[1] = {&the_device};
static void* memories[1] = {&the_memory};
static void* client_devices(void* a) {
  PTR(a, O_PJRT_Client_AddressableDevices_Args_addressable_devices) = devices;
  NUM(a, O_PJRT_Client_AddressableDevices_Args_num_addressable_devices) = 1;
  return 0;
}
static void* get_description(void* a) { PTR(a, O_PJRT_Device_GetDescription_Args_device_description) = &the_description; return 0; }
static void* device_memories(void* a) {
  PTR(a, O_PJRT_Device_AddressableMemories_Args_memories) = memories;
  NUM(a, O_PJRT_Device_AddressableMemories_Args_num_memories) = 1;
  return 0;
}
static void* default_memory(void* a) { PTR(a, O_PJRT_Device_DefaultMemory_Args_memory) = &the_memory; return 0; }
static void* memory_kind(void* a) {
  PTR(a, O_PJRT_Memory_Kind_Args_kind) = (void*)"device";
  NUM(a, O_PJRT_Memory_Kind_Args_kind_size) = 6;
  return 0;
}
static void* memory_stats(void* a) {
  AT(a, int64_t, O_PJRT_Device_MemoryStats_Args_bytes_in_use) = 4096;
  AT(a, int64_t, O_PJRT_Device_MemoryStats_Args_bytes_limit) = 8192;
  AT(a, char, O_PJRT_Device_MemoryStats_Args_bytes_limit_is_set) = 1;
  return 0;
}

static size_t width(int type) { return type == 11 ? 4 : type == 12 ? 8 : 1; }
static Buffer* new_buffer(int type, const int64_t* dims, size_t rank, const void* data) {
  Buffer* buffer = calloc(1, sizeof *buffer);
  buffer->type = type; buffer->rank = rank; buffer->size = width(type);
  for (size_t i = 0; i < rank; i++) { buffer->dims[i] = dims[i]; buffer->size *= dims[i]; }
  buffer->data = aligned_alloc(64, (buffer->size + 64) / 64 * 64);
  if (data) memcpy(buffer->data, data, buffer->size);
  count(BUFFERS, 1);
  return buffer;
}
static void* from_host(void* a) {
#ifdef OUT_OF_MEMORY
  return fail(8, "out of memory while trying to allocate 1 byte");
#endif
  PTR(a, O_PJRT_Client_BufferFromHostBuffer_Args_buffer) =
      new_buffer(AT(a, int, O_PJRT_Client_BufferFromHostBuffer_Args_type), PTR(a, O_PJRT_Client_BufferFromHostBuffer_Args_dims),
                 NUM(a, O_PJRT_Client_BufferFromHostBuffer_Args_num_dims), PTR(a, O_PJRT_Client_BufferFromHostBuffer_Args_data));
  PTR(a, O_PJRT_Client_BufferFromHostBuffer_Args_done_with_host_buffer) = finished_event();
  return 0;
}
static void* buffer_destroy(void* a) {
  Buffer* buffer = PTR(a, O_PJRT_Buffer_Destroy_Args_buffer);
  if (buffer->external) abort(); /* what XLA does too */
  free(buffer->data);
  memset(buffer, 0xdd, sizeof *buffer);
  free(buffer);
  count(BUFFERS, -1);
  return 0;
}
static void* ready_event(void* a) { PTR(a, O_PJRT_Buffer_ReadyEvent_Args_event) = finished_event(); return 0; }
static void* to_host(void* a) {
#ifdef CRASH
  abort();
#endif
  Buffer* buffer = PTR(a, O_PJRT_Buffer_ToHostBuffer_Args_src);
  memcpy(PTR(a, O_PJRT_Buffer_ToHostBuffer_Args_dst), buffer->data, NUM(a, O_PJRT_Buffer_ToHostBuffer_Args_dst_size));
  PTR(a, O_PJRT_Buffer_ToHostBuffer_Args_event) = finished_event();
  return 0;
}
static void* element_type(void* a) {
  AT(a, int, O_PJRT_Buffer_ElementType_Args_type) = ((Buffer*)PTR(a, O_PJRT_Buffer_ElementType_Args_buffer))->type;
  return 0;
}
static void* dimensions(void* a) {
  Buffer* buffer = PTR(a, O_PJRT_Buffer_Dimensions_Args_buffer);
  PTR(a, O_PJRT_Buffer_Dimensions_Args_dims) = buffer->dims;
  NUM(a, O_PJRT_Buffer_Dimensions_Args_num_dims) = buffer->rank;
  return 0;
}
static void* no_dynamic(void* a) { NUM(a, O_PJRT_Buffer_DynamicDimensionIndices_Args_num_dynamic_dims) = 0; return 0; }
static void* buffer_device(void* a) { PTR(a, O_PJRT_Buffer_Device_Args_device) = &the_device; return 0; }
static void* buffer_memory(void* a) { PTR(a, O_PJRT_Buffer_Memory_Args_memory) = &the_memory; return 0; }
static void* is_deleted(void* a) { AT(a, char, O_PJRT_Buffer_IsDeleted_Args_is_deleted) = 0; return 0; }
static void* unsafe_pointer(void* a) {
  NUM(a, O_PJRT_Buffer_UnsafePointer_Args_buffer_pointer) = (size_t)((Buffer*)PTR(a, O_PJRT_Buffer_UnsafePointer_Args_buffer))->data;
  return 0;
}
static void* claim(void* a) { ((Buffer*)PTR(a, O_PJRT_Buffer_IncreaseExternalReferenceCount_Args_buffer))->external++; return 0; }
static void* disclaim(void* a) { ((Buffer*)PTR(a, O_PJRT_Buffer_DecreaseExternalReferenceCount_Args_buffer))->external--; return 0; }

static void* compile(void* a) {
  PTR(a, O_PJRT_Client_Compile_Args_executable) = malloc(1);
  count(EXECUTABLES, 1);
  return 0;
}
static void* executable_destroy(void* a) { free(PTR(a, O_PJRT_LoadedExecutable_Destroy_Args_executable)); count(EXECUTABLES, -1); return 0; }
static void* get_executable(void* a) { PTR(a, O_PJRT_LoadedExecutable_GetExecutable_Args_executable) = malloc(1); count(EXECUTABLES, 1); return 0; }
static void* inner_destroy(void* a) { free(PTR(a, O_PJRT_Executable_Destroy_Args_executable)); count(EXECUTABLES, -1); return 0; }
static void* num_outputs(void* a) { NUM(a, O_PJRT_Executable_NumOutputs_Args_num_outputs) = OUTPUTS; return 0; }
static void* name(void* a) {
  PTR(a, O_PJRT_Executable_Name_Args_executable_name) = (void*)"fake";
  NUM(a, O_PJRT_Executable_Name_Args_executable_name_size) = 4;
  return 0;
}
static void* executable_devices(void* a) {
  PTR(a, O_PJRT_LoadedExecutable_AddressableDevices_Args_addressable_devices) = devices;
  NUM(a, O_PJRT_LoadedExecutable_AddressableDevices_Args_num_addressable_devices) = 1;
  return 0;
}
/* (f32[2]) -> f32[2] as an HloModuleProto with nothing but its host_program_shape. */
static const unsigned char hlo[] = {0x22, 0x12, 0x0a, 0x07, 0x10, 0x0b, 0x1a, 0x01, 0x02, 0x2a, 0x00, 0x12, 0x07, 0x10, 0x0b, 0x1a, 0x01, 0x02, 0x2a, 0x00};
static void* optimized(void* a) {
  void* program = PTR(a, O_PJRT_Executable_OptimizedProgram_Args_program);
  if (PTR(program, O_PJRT_Program_code)) memcpy(PTR(program, O_PJRT_Program_code), hlo, sizeof hlo);
  NUM(program, O_PJRT_Program_code_size) = sizeof hlo;
  PTR(program, O_PJRT_Program_format) = (void*)"hlo";
  NUM(program, O_PJRT_Program_format_size) = 3;
  return 0;
}
static int executions;
static void* execute(void* a) {
  Buffer*** arguments = PTR(a, O_PJRT_LoadedExecutable_Execute_Args_argument_lists);
  Buffer*** results = PTR(a, O_PJRT_LoadedExecutable_Execute_Args_output_lists);
  Buffer* first = arguments[0][0];
  executions++;
  for (int i = 0; i < OUTPUTS; i++) {
#ifdef EXECUTE_ERROR
    if (i == OUTPUTS - 1 && executions % 2 == 0) return fail(13, "the second output could not be made");
#endif
    results[0][i] = new_buffer(first->type, first->dims, first->rank, first->data);
  }
  return 0;
}

static char table[TABLE_SIZE + 64];
#ifdef EXTENSION_SIZE
static char extension[256];
#endif
#define SLOT(name, function) if (O_PJRT_Api_##name + 8 <= TABLE_SIZE) PTR(table, O_PJRT_Api_##name) = (void*)(function)

void* GetPjrtApi(void) {
  NUM(table, 0) = TABLE_SIZE;
  NUM(table, O_PJRT_Api_pjrt_api_version_struct_size) = 24;
  AT(table, int, O_PJRT_Api_pjrt_api_version_major_version) = 0;
  AT(table, int, O_PJRT_Api_pjrt_api_version_minor_version) = MINOR;
#ifdef EXTENSION_SIZE
  NUM(extension, 0) = EXTENSION_SIZE;
  AT(extension, int, O_PJRT_Extension_Base_type) = 4; /* Layouts */
  memset(extension + EXTENSION_SIZE, 0xab, sizeof extension - EXTENSION_SIZE); /* poison: must not be read */
  PTR(table, O_PJRT_Api_extension_start) = extension;
#endif
  SLOT(PJRT_Error_Destroy, error_destroy); SLOT(PJRT_Error_Message, error_message); SLOT(PJRT_Error_GetCode, error_code);
  SLOT(PJRT_Plugin_Initialize, ok);
  SLOT(PJRT_Event_Destroy, event_destroy); SLOT(PJRT_Event_IsReady, event_ready); SLOT(PJRT_Event_Await, event_await);
  SLOT(PJRT_Event_OnReady, event_on_ready); SLOT(PJRT_Event_Create, event_create); SLOT(PJRT_Event_Set, event_set);
  SLOT(PJRT_Client_Create, client_create); SLOT(PJRT_Client_Destroy, client_destroy);
  SLOT(PJRT_Client_PlatformName, platform_name); SLOT(PJRT_Client_AddressableDevices, client_devices);
  SLOT(PJRT_Device_GetDescription, get_description); SLOT(PJRT_Device_AddressableMemories, device_memories);
  SLOT(PJRT_DeviceDescription_Id, ok); SLOT(PJRT_Device_DefaultMemory, default_memory); SLOT(PJRT_Memory_Kind, memory_kind);
  SLOT(PJRT_Device_MemoryStats, memory_stats); SLOT(PJRT_Client_BufferFromHostBuffer, from_host);
  SLOT(PJRT_Buffer_Destroy, buffer_destroy); SLOT(PJRT_Buffer_ReadyEvent, ready_event); SLOT(PJRT_Buffer_ToHostBuffer, to_host);
  SLOT(PJRT_Buffer_ElementType, element_type); SLOT(PJRT_Buffer_Dimensions, dimensions);
  SLOT(PJRT_Buffer_DynamicDimensionIndices, no_dynamic); SLOT(PJRT_Buffer_Device, buffer_device);
  SLOT(PJRT_Buffer_Memory, buffer_memory); SLOT(PJRT_Buffer_IsDeleted, is_deleted); SLOT(PJRT_Buffer_UnsafePointer, unsafe_pointer);
  SLOT(PJRT_Buffer_IncreaseExternalReferenceCount, claim); SLOT(PJRT_Buffer_DecreaseExternalReferenceCount, disclaim);
  SLOT(PJRT_Client_Compile, compile); SLOT(PJRT_LoadedExecutable_Destroy, executable_destroy);
  SLOT(PJRT_LoadedExecutable_GetExecutable, get_executable); SLOT(PJRT_Executable_Destroy, inner_destroy);
  SLOT(PJRT_Executable_NumOutputs, num_outputs); SLOT(PJRT_Executable_Name, name);
  SLOT(PJRT_LoadedExecutable_AddressableDevices, executable_devices); SLOT(PJRT_Executable_OptimizedProgram, optimized);
  SLOT(PJRT_LoadedExecutable_Execute, execute);
  return table;
}
