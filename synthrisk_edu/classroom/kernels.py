"""How is a notebook run from top to bottom? By the Python that runs this file, in its folder."""

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from queue import Empty
from time import monotonic

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from traitlets import Type, default


class PatientChannel(AsyncZMQSocketChannel):
    """Looks every second whether a message has come.

    Who only waits to be woken may wait for all of the timeout: now and then pyzmq's asyncio
    sockets miss the moment at which a message comes.
    """

    async def get_msg(self, timeout=None):
        """Return the next message; raise Empty if there is none for so many seconds."""
        end = monotonic() + (math.inf if timeout is None else timeout)
        while True:
            left = max(end - monotonic(), 0)
            try:
                return await super().get_msg(min(left, 1))
            except Empty:
                if left <= 1:
                    raise


class PatientClient(AsyncKernelClient):
    """Talks to a kernel, and misses no message."""

    shell_channel_class = Type(PatientChannel)
    iopub_channel_class = Type(PatientChannel)


class ThisPython(AsyncKernelManager):
    """Starts the Python that runs this file, whatever kernels are registered elsewhere."""

    client_factory = Type(PatientClient)

    @default("kernel_spec_manager")
    def _no_folders_to_look_for_kernels_in(self):
        return KernelSpecManager(kernel_dirs=[])


def run(notebook, folder, *, timeout=600, allow_errors=False):
    """Return a copy of a notebook, run in a folder; an error in a cell ends the run, or does not.

    `timeout` is the most seconds that a cell may take.
    """
    executed = deepcopy(notebook)
    client = NotebookClient(
        executed,
        kernel_name="python3",
        kernel_manager_class=ThisPython,
        timeout=timeout,
        allow_errors=allow_errors,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--IPKernelApp.log_level=40"],  # or each says that it is not encrypted
    )
    with ThreadPoolExecutor(1) as thread:  # in this one, a notebook or a browser may be waiting
        # Unlike execute(), asyncio.run leaves nothing open behind.
        thread.submit(asyncio.run, client.async_execute()).result()
    return executed
