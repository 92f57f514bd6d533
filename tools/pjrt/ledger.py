"""The exact minor that brought a name, from the API's public change log.

The headers alone bound it between two versions; an entry here narrows that, and the generator refuses an entry that the
headers contradict.
"""

from __future__ import annotations

SINCE: dict[str, int] = {
    "PJRT_Client_CreateErrorBuffer": 82,
    "PJRT_AsyncHostToDeviceTransferManager_TransferLiteral": 83,
    "PJRT_Buffer_CopyRawToHostFuture": 84,
    "PJRT_Device_PoisonExecution": 85,
    "PJRT_Device_CreateAsyncTrackingEvent": 86,
    "PJRT_AsyncTrackingEvent_Destroy": 86,
    "PJRT_Executable_GetCompileOptions": 87,
    "PJRT_Buffer_DonateWithControlDependency": 88,
    "PJRT_Event_Create": 89,
    "PJRT_Event_Set": 89,
    "PJRT_Executable_GetCompiledMemoryStats_Args.total_size_in_bytes": 90,
    "PJRT_Device_GetAttributes": 92,
    "PJRT_Layouts_PJRT_Executable_GetParameterLayouts": 93,
    "PJRT_Buffer_Type_S1": 94,
    "PJRT_Buffer_Type_U1": 94,
    "PJRT_Client_Load": 95,
    "PJRT_LoadedExecutable_AddressableDeviceLogicalIds": 96,
    "PJRT_ExecuteOptions.multi_slice_config": 97,
    "PJRT_Buffer_Bitcast": 98,
    "PJRT_Error_ForEachPayload": 99,
    "PJRT_Device_PoisonExecution_Args.payload": 100,
    "PJRT_Device_PoisonExecution_Args.num_payload": 100,
    "PJRT_TopologyDescription_Fingerprint": 101,
    "PJRT_Executable_ParameterMemoryKinds": 102,
    "PJRT_Client_CreateErrorBuffer_Args.payload": 103,
    "PJRT_Client_CreateErrorBuffer_Args.num_payload": 103,
    "PJRT_Executable_GetCompiledMemoryStats_Args.total_allocation_bytes": 104,
    "PJRT_Executable_GetCompiledMemoryStats_Args.indefinite_allocations": 104,
    "PJRT_Executable_GetCompiledMemoryStats_Args.peak_unpadded_heap_bytes": 104,
    "PJRT_Device_ClearMemoryStats": 106,
    "PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace": 109,
    "PJRT_TopologyDescription_GetMemorySpaceKindIds": 110,
    "PJRT_ExecuteOptions.hlo_output_callbacks": 112,
    "PJRT_ExecuteOptions.num_hlo_output_callbacks": 112,
    "PJRT_Device_MemoryStats_Args.peak_allocated_bytes": 113,
    "PJRT_Device_MemoryStats_Args.peak_allocated_bytes_is_set": 113,
    "PJRT_Buffer_Type_F6E2M3FN": 114,
    "PJRT_Buffer_Type_F6E3M2FN": 114,
}
