/* How many threads this process should compute with. */
#include "ppy_private.h"
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_THREADS 128
#define PATH_SIZE 4096

/* A whole file of /proc or /sys, as far as it fits: 0, or -1 where there is none. */
static int
read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return -1;
    }
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = 0;
    return 0;
}

/* CPUs that a quota stands for, rounded up; INT64_MAX: no limit. */
static int64_t
quota_cpus(long long quota, long long period)
{
    return quota > 0 && period > 0 ? (quota - 1) / period + 1 : INT64_MAX;
}

/* The limit that one control group's directory states. */
static int64_t
directory_cpus(const char *directory)
{
    char path[PATH_SIZE + 32], text[64], period[64], *end;
    snprintf(path, sizeof path, "%s/cpu.max", directory); /* version 2: "max 100000" or "150000 100000" */
    if (read_text(path, text, sizeof text) == 0) {
        long long quota = strtoll(text, &end, 10);
        return end == text ? INT64_MAX : quota_cpus(quota, strtoll(end, NULL, 10));
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory); /* version 1: -1 for no limit */
    if (read_text(path, text, sizeof text) < 0) {
        return INT64_MAX;
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    if (read_text(path, period, sizeof period) < 0) {
        return INT64_MAX;
    }
    return quota_cpus(strtoll(text, NULL, 10), strtoll(period, NULL, 10));
}

/* The least limit of a group and those that it is in.  In a container the group's path may be the host's and exist only
 * there; the mount's root is then the container's own group. */
static int64_t
group_cpus(const char *mount, const char *group)
{
    char directory[PATH_SIZE];
    int64_t least = INT64_MAX;
    int length = snprintf(directory, sizeof directory, "%s%s", mount, group);
    if (length >= (int)sizeof directory) {
        return least;
    }
    for (size_t root = strlen(mount);;) {
        int64_t cpus = directory_cpus(directory);
        least = cpus < least ? cpus : least;
        if (strlen(directory) <= root) {
            return least;
        }
        *strrchr(directory, '/') = 0;
    }
}

int64_t
ppy_cgroup_cpus(const char *root)
{
    char path[PATH_SIZE], groups[PATH_SIZE], *rest = groups, *line;
    int64_t least = INT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    if (read_text(path, groups, sizeof groups) < 0) {
        return least;
    }
    while ((line = strsep(&rest, "\n")) != NULL) { /* "hierarchy:controllers:/group" */
        char *group = line, *controllers;
        strsep(&group, ":");
        controllers = strsep(&group, ":");
        if (group == NULL || *group != '/') {
            continue;
        }
        if (*controllers == 0) {
            snprintf(path, sizeof path, "%s/sys/fs/cgroup", root);
        }
        else if (strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0
                 || strstr(controllers, ",cpu,") != NULL || strcmp(controllers, "cpuacct,cpu") == 0) {
            snprintf(path, sizeof path, "%s/sys/fs/cgroup/%s", root, controllers);
        }
        else {
            continue;
        }
        int64_t cpus = group_cpus(path, group);
        least = cpus < least ? cpus : least;
    }
    return least;
}

/* CPUs that the calling thread may run on; 1 where the system does not say. */
static int64_t
affinity_cpus(void)
{
    unsigned long masks[128] = {0};
    int64_t count = 0;
    if (sched_getaffinity(0, sizeof masks, (cpu_set_t *)masks) < 0) {
        return 1;
    }
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        count += __builtin_popcountl(masks[i]);
    }
    return count > 0 ? count : 1;
}

/* The number that a variable starts with (OMP_NUM_THREADS may be a list, one number for each level); 0: none. */
static int64_t
asked_for(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    long long number = text == NULL ? 0 : strtoll(text, &end, 10);
    if (number <= 0 || (*end != 0 && *end != ',')) {
        return 0;
    }
    return number;
}

int64_t
ppy_usable_cpus(void)
{
    int64_t count = asked_for("PPY_NUM_THREADS");
    count = count > 0 ? count : asked_for("OMP_NUM_THREADS");
    if (count == 0) {
        int64_t quota = ppy_cgroup_cpus("");
        count = affinity_cpus();
        count = quota < count ? quota : count;
    }
    return count < MOST_THREADS ? count : MOST_THREADS;
}
