"""Where the work is done: in this process, in several on this machine, or on the workers of a Dask cluster.

Each pool takes a function and its calls and gives the answers in the order of the calls, with only so many calls under
way that memory stays flat. A call whose worker dies is made again; what kills its worker twice is given up alone.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from converter.errors import BadInput

Result = TypeVar("Result")
AHEAD = 4
"""Calls under way for each worker."""


class Died:
    """Stands for the answer of a call that killed its worker."""


class Pool(Protocol):
    """Something that runs calls."""

    def run(self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]) -> Iterator[Result | Died]: ...

    def close(self) -> None: ...


class ThisProcess:
    """No pool at all."""

    def run(self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]) -> Iterator[Result | Died]:
        """Make the calls one after the other."""
        for call in calls:
            yield function(*call)

    def close(self) -> None:
        """Nothing to end."""


def _leave_ctrl_c_to_us() -> None:
    """A terminal sends Ctrl+C to every process of the command; only the first one has to act on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Processes:
    """Worker processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor = self._fresh(workers)

    @staticmethod
    def _fresh(workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_ctrl_c_to_us)

    def run(self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]) -> Iterator[Result | Died]:
        """Make the calls, a few ahead of the answers."""
        under_way: deque[tuple[tuple[Any, ...], Future[Result]]] = deque()
        todo = iter(calls)
        while True:
            while len(under_way) < AHEAD * self.workers and (call := next(todo, None)) is not None:
                under_way.append((call, self._submit(function, call)))
            if not under_way:
                return
            call, future = under_way.popleft()
            try:
                answer = future.result()
            except BrokenProcessPool:
                again = [call, *(other for other, _ in under_way)]
                under_way.clear()
                yield from self._one_by_one(function, again)
            else:
                yield answer

    def _submit(self, function: Callable[..., Result], call: tuple[Any, ...]) -> Future[Result]:
        """Hand a call out; a pool that a dead worker broke answers as the call itself would."""
        try:
            return self._executor.submit(function, *call)
        except BrokenProcessPool as error:
            broken: Future[Result] = Future()
            broken.set_exception(error)
            return broken

    def _one_by_one(self, function: Callable[..., Result], calls: list[tuple[Any, ...]]) -> Iterator[Result | Died]:
        """A worker died, and nobody knows of what: try each call alone, so that only the culprit is given up."""
        for call in calls:
            answer: Result | Died = Died()
            with suppress(BrokenProcessPool), self._fresh(1) as alone:
                answer = alone.submit(function, *call).result()
            yield answer
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._fresh(self.workers)

    def close(self) -> None:
        """End the workers without waiting for what they are at."""
        processes = list((self._executor._processes or {}).values())
        manager: Any = self._executor._executor_manager_thread
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if manager is not None:  # else it closes its pipe while the interpreter, on its way out, still writes to it
            manager.join(timeout=10)


class Cluster:
    """The workers of a running Dask scheduler. hexref must be installed there, and the files have the same paths."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise BadInput("--cluster needs dask.distributed: pip install 'hexref[cluster]'") from None
        try:
            client: Any = distributed.Client
            self._client = client(address, timeout=10)
        except (OSError, ValueError, TypeError) as error:
            raise BadInput(f"no Dask scheduler answers at {address} ({error})") from None

    def run(self, function: Callable[..., Result], calls: Iterable[tuple[Any, ...]]) -> Iterator[Result | Died]:
        """Make the calls on the cluster; the scheduler makes them again elsewhere where a worker is lost."""
        from distributed import KilledWorker

        waiting: deque[Any] = deque()
        todo = iter(calls)
        while True:
            ahead = AHEAD * max(1, len(self._client.scheduler_info()["workers"]))
            while len(waiting) < ahead and (call := next(todo, None)) is not None:
                waiting.append(self._client.submit(function, *call, pure=False, retries=2))
            if not waiting:
                return
            future = waiting.popleft()
            try:
                yield future.result()
            except KilledWorker:
                yield Died()
            future.release()

    def close(self) -> None:
        """Let go of the cluster; it goes on for others."""
        self._client.close(timeout=5)
