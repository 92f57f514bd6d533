/* A map from pointers to pointers. */
#include "ppy_private.h"
#include <stdlib.h>

static size_t
map_slot(const ppy_map *map, const void *key)
{
    size_t i = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20 & map->mask;
    while (map->keys[i] != NULL && map->keys[i] != key) {
        i = (i + 1) & map->mask;
    }
    return i;
}

void *
ppy_map_get(const ppy_map *map, const void *key)
{
    return map->keys == NULL ? NULL : map->values[map_slot(map, key)];
}

int
ppy_map_put(ppy_map *map, const void *key, void *value)
{
    size_t known = map->keys == NULL ? 0 : map_slot(map, key);
    if (map->keys != NULL && map->keys[known] == key) {
        map->values[known] = value;
        return 0;
    }
    if (map->keys == NULL || map->used * 2 >= map->mask) {
        size_t size = map->keys == NULL ? 64 : (map->mask + 1) * 2;
        ppy_map grown = {calloc(size, sizeof(void *)), calloc(size, sizeof(void *)), size - 1, map->used};
        if (grown.keys == NULL || grown.values == NULL) {
            free(grown.keys);
            free(grown.values);
            PyErr_NoMemory();
            return -1;
        }
        for (size_t i = 0; map->keys != NULL && i <= map->mask; i++) {
            if (map->keys[i] != NULL) {
                size_t at = map_slot(&grown, map->keys[i]);
                grown.keys[at] = map->keys[i];
                grown.values[at] = map->values[i];
            }
        }
        free(map->keys);
        free(map->values);
        *map = grown;
    }
    size_t at = map_slot(map, key);
    map->used++;
    map->keys[at] = key;
    map->values[at] = value;
    return 0;
}
