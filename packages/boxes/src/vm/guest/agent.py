"""The first process of a guest. It speaks with the driver over one virtio-serial port, starts the dev server when it is told which
box this is, and carries connections between the driver and the sockets of the box. The other end is guestChannel.ts."""

import base64
import ctypes
import errno
import fcntl
import glob
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time

PORT_NAME = "boxyard"
CONTROL, OPEN, DATA, END, RESET, WINDOW, LOG = range(7)
HEADER = struct.Struct(">IBI")
# Bytes of one connection that may be under way and not yet read by the other side.
WINDOW_BYTES = 256 * 1024
FRAME_BYTES = 32 * 1024
# The port takes no more while so much waits to be written to it.
PORT_BYTES = 512 * 1024
CONNECT_SECONDS = 0.02
UID = GID = 1000
DISK, DEV_SERVER_DISK = "/dev/vdc", "/dev/vdb"
WORKSPACE, HOME, STATE, RUN = "/project/workspace", "/home/boxyard", "/var/lib/boxyard", "/run/boxyard"
DEV_SERVER_SOCKET, EGRESS_SOCKET = RUN + "/dev-server.sock", RUN + "/egress.sock"
OWN_ETC = "/run/etc"

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND = 1, 2, 4, 32, 4096
BLKFLSBUF, BLKGETSIZE64, EXT4_RESIZE = 0x1261, 0x80081272, 0x40086610
RNDADDENTROPY, RNDRESEEDCRNG = 0x40085203, 0x5207
PR_SET_NO_NEW_PRIVS = 38

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def mount(source, target, kind, flags=0, options=""):
    arguments = [text.encode() for text in (source, target, kind)]
    check(libc.mount(*arguments, ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def find_port():
    while True:
        for name in glob.glob("/sys/class/virtio-ports/*/name"):
            with open(name) as file:
                if file.read().strip() == PORT_NAME:
                    return os.open("/dev/" + name.split("/")[-2], os.O_RDWR | os.O_NONBLOCK)
        time.sleep(0.01)


def prepare_system():
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        os.makedirs(folder, exist_ok=True)
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=50%")
    os.makedirs("/dev/pts", exist_ok=True)
    mount("devpts", "/dev/pts", "devpts", MS_NOSUID, "mode=620,ptmxmode=666,gid=5")
    os.chmod("/dev/ptmx", 0o666)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    os.symlink("/proc/self/fd", "/dev/fd")
    os.makedirs(OWN_ETC)
    # The loopback interface is the only one there is.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sh14x", b"lo", 0x1 | 0x40)
        fcntl.ioctl(probe, 0x8914, request)


def add_entropy(seed):
    """Counts the seed as random and has the kernel use it at once: a copy of a machine must not draw what its origin draws."""
    with open("/dev/urandom", "wb", buffering=0) as device:
        fcntl.ioctl(device, RNDADDENTROPY, struct.pack("ii", len(seed) * 8, len(seed)) + seed)
        fcntl.ioctl(device, RNDRESEEDCRNG)


def be_fresh(message):
    add_entropy(base64.b64decode(message["entropy"]))
    time.clock_settime(time.CLOCK_REALTIME, message["time"])


def be_called(message):
    """Files of /etc that are the machine's own; the others are read-only and shared by all guests."""
    name = message["hostname"]
    check(libc.sethostname(name.encode(), len(name)), "hostname")
    own = {"hostname": name + "\n", "machine-id": message["machineId"] + "\n",
           "hosts": f"127.0.0.1 localhost {name}\n::1 localhost {name}\n"}
    for file_name, content in own.items():
        path = f"{OWN_ETC}/{file_name}"
        is_new = not os.path.exists(path)
        # In place: what is mounted over the file of /etc stays this one.
        with open(path, "w") as file:
            file.write(content)
        if is_new:
            mount(path, f"/etc/{file_name}", "", MS_BIND)


def block_bytes(device):
    with open(device, "rb", buffering=0) as file:
        return struct.unpack("Q", fcntl.ioctl(file, BLKGETSIZE64, b"\0" * 8))[0]


def forget_blocks(device):
    """The disks of a copied machine are others than those that its origin has looked at."""
    with open(device, "rb", buffering=0) as file:
        fcntl.ioctl(file, BLKFLSBUF)


def await_size(disk_bytes):
    """The driver has changed the size of the disk, and the kernel hears of it a moment later."""
    until = time.monotonic() + 10
    while block_bytes(DISK) != disk_bytes and time.monotonic() < until:
        time.sleep(0.002)


def mount_disks(disk_bytes):
    await_size(disk_bytes)
    for device in (DISK, DEV_SERVER_DISK):
        forget_blocks(device)
    mount(DEV_SERVER_DISK, "/opt/boxyard/dev-server", "ext4", MS_RDONLY | MS_NOSUID | MS_NODEV)
    mount(DISK, "/mnt", "ext4", MS_NOSUID | MS_NODEV, "discard")
    grow()
    for name, target in (("workspace", WORKSPACE), ("home", HOME), ("state", STATE)):
        if os.stat(f"/mnt/{name}").st_uid != UID:
            give_to_user(f"/mnt/{name}")
        mount(f"/mnt/{name}", target, "", MS_BIND)


def grow():
    blocks = block_bytes(DISK) // 4096
    folder = os.open("/mnt", os.O_RDONLY)
    try:
        if os.fstatvfs(folder).f_blocks < blocks * 0.9:
            fcntl.ioctl(folder, EXT4_RESIZE, struct.pack("Q", blocks))
    finally:
        os.close(folder)


def give_to_user(tree):
    for folder, folders, files in os.walk(tree, topdown=False):
        for name in folders + files:
            os.lchown(f"{folder}/{name}", UID, GID)
    os.lchown(tree, UID, GID)


def become_user(processes):
    os.setsid()
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    os.setgroups([])
    os.setgid(GID)
    os.setuid(UID)
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


class Connection:
    """One connection between a socket of the box and the driver."""

    def __init__(self, number, sock):
        self.number = number
        self.sock = sock
        self.to_sock = bytearray()
        self.credit = WINDOW_BYTES
        self.driver_ended = False
        self.box_ended = False
        self.watched = 0


class Agent:
    def __init__(self, port):
        self.port = port
        self.poll = select.epoll()
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.connections = {}
        self.by_fd = {}
        self.waiting = {}
        self.next_number = 2
        self.egress = None
        self.child = None
        self.pipes = set()
        self.asleep = False
        self.held = False
        self.handlers = {CONTROL: self.on_control, OPEN: self.on_open, DATA: self.on_data,
                         END: self.on_end, RESET: self.on_reset, WINDOW: self.on_window}

    def run(self):
        wake_reader, wake_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poll.register(self.port, select.EPOLLIN)
        self.poll.register(wake_reader, select.EPOLLIN)
        self.say(event="hello")
        self.flush_port()
        while True:
            for fd, events in self.poll.poll(CONNECT_SECONDS if self.waiting else -1):
                if fd == self.port:
                    self.serve_port(events)
                elif self.held:
                    continue
                elif fd == wake_reader:
                    os.read(wake_reader, 4096)
                elif fd in self.pipes:
                    self.read_pipe(fd)
                elif self.egress is not None and fd == self.egress.fileno():
                    self.accept_egress()
                elif fd in self.by_fd:
                    self.serve_connection(self.by_fd[fd], events)
            if not self.held:
                self.reap()
                self.connect_waiting()
            self.flush_port()

    # What goes to the driver.

    def send(self, number, kind, payload=b""):
        self.outbox += HEADER.pack(number, kind, len(payload))
        self.outbox += payload

    def say(self, **message):
        self.send(0, CONTROL, json.dumps(message).encode())

    def flush_port(self):
        while self.outbox:
            try:
                written = os.write(self.port, self.outbox[:FRAME_BYTES])
            except BlockingIOError:
                break
            except OSError as error:
                # Nobody is at the other end: a moment later somebody is.
                if error.errno not in (errno.EPIPE, errno.EAGAIN):
                    raise
                time.sleep(0.01)
                break
            del self.outbox[:written]
        self.poll.modify(self.port, select.EPOLLIN | (select.EPOLLOUT if self.outbox else 0))
        for connection in list(self.connections.values()):
            self.watch(connection)
        for fd in self.pipes:
            self.poll.modify(fd, select.EPOLLIN if len(self.outbox) < PORT_BYTES else 0)

    # What comes from the driver.

    def serve_port(self, events):
        if events & select.EPOLLIN:
            try:
                data = os.read(self.port, FRAME_BYTES)
            except BlockingIOError:
                data = b""
            self.inbox += data
            self.take_frames()
        elif events & select.EPOLLHUP:
            time.sleep(0.01)

    def take_frames(self):
        while len(self.inbox) >= HEADER.size:
            number, kind, length = HEADER.unpack_from(self.inbox)
            end = HEADER.size + length
            if len(self.inbox) < end:
                return
            payload = bytes(self.inbox[HEADER.size:end])
            del self.inbox[:end]
            self.handlers[kind](number, payload)

    def on_control(self, _, payload):
        message = json.loads(payload)
        try:
            answer = getattr(self, "do_" + message["op"])(message) or {}
            self.say(event="done", id=message["id"], **answer)
        except Exception as error:
            self.say(event="failed", id=message["id"], message=str(error))

    def on_open(self, number, _):
        self.waiting[number] = (bytearray(), [])

    def on_data(self, number, payload):
        if number in self.waiting:
            self.waiting[number][0].extend(payload)
            return
        connection = self.connections.get(number)
        if connection is not None:
            connection.to_sock += payload
            self.write_socket(connection)

    def on_end(self, number, _):
        if number in self.waiting:
            self.waiting[number][1].append(True)
            return
        connection = self.connections.get(number)
        if connection is not None:
            connection.driver_ended = True
            self.write_socket(connection)

    def on_reset(self, number, _):
        self.waiting.pop(number, None)
        connection = self.connections.get(number)
        if connection is not None:
            self.forget(connection)

    def on_window(self, number, payload):
        connection = self.connections.get(number)
        if connection is not None:
            connection.credit += struct.unpack(">I", payload)[0]

    # What the driver asks for.

    def do_configure(self, message):
        be_fresh(message)
        be_called(message)
        mount_disks(message["diskBytes"])
        os.makedirs(RUN, exist_ok=True)
        os.chown(RUN, UID, GID)
        if message["egress"]:
            self.egress = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
            self.egress.bind(EGRESS_SOCKET)
            os.chown(EGRESS_SOCKET, UID, GID)
            self.egress.listen(64)
            self.poll.register(self.egress, select.EPOLLIN)
        self.start(message)

    def start(self, message):
        read_out, write_out = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(read_out, False)
        self.child = os.fork()
        if self.child == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                # Python ignores it, and programs inherit that.
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                empty = os.open("/dev/null", os.O_RDONLY)
                os.dup2(empty, 0)
                os.dup2(write_out, 1)
                os.dup2(write_out, 2)
                become_user(message["processes"])
                os.chdir(WORKSPACE)
                os.execve(message["program"][0], message["program"], message["env"])
            except BaseException as error:
                os.write(2, f"the dev server could not be started: {error}\n".encode())
                os._exit(127)
        os.close(write_out)
        self.pipes.add(read_out)
        self.poll.register(read_out, select.EPOLLIN)

    def do_terminate(self, _):
        if self.child is not None:
            os.kill(self.child, signal.SIGTERM)

    def do_sync(self, _):
        os.sync()

    def do_usage(self, _):
        processes = sum(name.isdigit() and os.path.exists(f"/proc/{name}/exe") for name in os.listdir("/proc"))
        with open("/proc/meminfo") as file:
            memory = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in file}
        return {"processes": processes, "memoryUsed": memory["MemTotal"] - memory["MemAvailable"]}

    def do_processors(self, message):
        """As many as this run, of those that are there or about to be. The first one always does."""
        last = f"/sys/devices/system/cpu/cpu{message['count'] - 1}"
        until = time.monotonic() + 10
        while not os.path.exists(last) and time.monotonic() < until:
            time.sleep(0.01)
        for name in sorted(glob.glob("/sys/devices/system/cpu/cpu[1-9]*/online")):
            number = int(name.split("/")[-2][len("cpu"):])
            with open(name, "w") as file:
                file.write("1" if number < message["count"] else "0")

    def do_grow(self, message):
        await_size(message["diskBytes"])
        grow()

    def do_sleep(self, _):
        """Everything is on disk and nothing is under way on the port when the answer leaves."""
        for connection in list(self.connections.values()):
            self.forget(connection)
        self.waiting.clear()
        self.asleep = True
        os.sync()

    def do_still(self, _):
        """The answer is all there is to it: whatever was sent before has been read."""

    def do_wake(self, message):
        be_fresh(message)
        self.asleep = False

    def do_hold(self, _):
        """The answer is the last thing on the port until the release: no frame is cut in two when the memory is copied now."""
        self.held = True

    def do_release(self, _):
        self.held = False

    def do_adopt(self, message):
        """This machine is a copy of one that runs: another box, with the same processes. Connections stay with the original."""
        for connection in list(self.connections.values()):
            self.forget(connection)
        self.waiting.clear()
        be_fresh(message)
        be_called(message)
        self.asleep = self.held = False

    # Connections.

    def add(self, number, sock):
        connection = Connection(number, sock)
        self.connections[number] = connection
        self.by_fd[sock.fileno()] = connection
        return connection

    def accept_egress(self):
        try:
            sock, _ = self.egress.accept()
        except BlockingIOError:
            return
        sock.setblocking(False)
        if self.asleep:
            sock.close()
            return
        number = self.next_number
        self.next_number += 2
        self.send(number, OPEN)
        self.add(number, sock)

    def connect_waiting(self):
        """The dev server may not listen yet: whoever asks for it before waits until it does, or gives up itself."""
        for number, (data, ends) in list(self.waiting.items()):
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                sock.connect(DEV_SERVER_SOCKET)
            except OSError:
                sock.close()
                if self.child is None:
                    del self.waiting[number]
                    self.send(number, RESET)
                continue
            sock.setblocking(False)
            del self.waiting[number]
            connection = self.add(number, sock)
            connection.to_sock += data
            connection.driver_ended = bool(ends)
            self.write_socket(connection)

    def watch(self, connection):
        reads = connection.credit > 0 and not connection.box_ended and len(self.outbox) < PORT_BYTES
        self.watch_for(connection, (select.EPOLLIN if reads else 0) | (select.EPOLLOUT if connection.to_sock else 0))

    def watch_for(self, connection, events):
        """A socket without interest is taken out: the kernel would report its end again and again."""
        if events == connection.watched:
            return
        if events == 0:
            self.poll.unregister(connection.sock)
        elif connection.watched == 0:
            self.poll.register(connection.sock, events)
        else:
            self.poll.modify(connection.sock, events)
        connection.watched = events

    def serve_connection(self, connection, events):
        if events & select.EPOLLOUT:
            self.write_socket(connection)
        if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR) and connection.number in self.connections:
            self.read_socket(connection)

    def read_socket(self, connection):
        if connection.box_ended or connection.credit <= 0:
            return
        try:
            data = connection.sock.recv(min(FRAME_BYTES, connection.credit))
        except BlockingIOError:
            return
        except OSError:
            self.reset(connection)
            return
        if data:
            connection.credit -= len(data)
            self.send(connection.number, DATA, data)
            return
        connection.box_ended = True
        self.send(connection.number, END)
        self.finish(connection)

    def write_socket(self, connection):
        try:
            while connection.to_sock:
                written = connection.sock.send(connection.to_sock[:FRAME_BYTES])
                del connection.to_sock[:written]
                self.send(connection.number, WINDOW, struct.pack(">I", written))
        except BlockingIOError:
            return
        except OSError:
            self.reset(connection)
            return
        if connection.driver_ended:
            try:
                connection.sock.shutdown(socket.SHUT_WR)
            except OSError:
                self.reset(connection)
                return
            self.finish(connection)

    def finish(self, connection):
        if connection.driver_ended and connection.box_ended and not connection.to_sock:
            self.forget(connection)

    def reset(self, connection):
        self.send(connection.number, RESET)
        self.forget(connection)

    def forget(self, connection):
        self.connections.pop(connection.number, None)
        if self.by_fd.pop(connection.sock.fileno(), None) is not None:
            self.watch_for(connection, 0)
            connection.sock.close()

    # The dev server.

    def read_pipe(self, fd):
        """Whether there may be more to read. What is written faster than the port takes it waits in the pipe."""
        try:
            data = os.read(fd, FRAME_BYTES)
        except BlockingIOError:
            return False
        if data:
            self.send(0, LOG, data)
            return True
        self.poll.unregister(fd)
        self.pipes.discard(fd)
        os.close(fd)
        return False

    def reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.child:
                self.leave(status)

    def leave(self, status):
        """The box ends with its dev server: whatever else it runs ends too, then its disk is closed."""
        self.child = None
        for fd in list(self.pipes):
            while len(self.outbox) < PORT_BYTES and self.read_pipe(fd):
                pass
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass  # Nothing else runs.
        while True:
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                break
        for connection in list(self.connections.values()):
            self.forget(connection)
        for folder in (WORKSPACE, HOME, STATE, "/mnt"):
            libc.umount2(folder.encode(), 0)
        os.sync()
        if os.WIFSIGNALED(status):
            self.say(event="exit", code=None, signal=signal.Signals(os.WTERMSIG(status)).name)
        else:
            self.say(event="exit", code=os.WEXITSTATUS(status), signal=None)


def main():
    prepare_system()
    port = find_port()
    agent = Agent(port)
    try:
        agent.run()
    except Exception as error:
        agent.say(event="broken", message=f"{type(error).__name__}: {error}")
        os.set_blocking(port, True)
        os.write(port, agent.outbox)
        raise


if __name__ == "__main__":
    main()
