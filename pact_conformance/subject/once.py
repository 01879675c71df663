"""A property that is made once, whoever asks meanwhile: no agent is started twice."""

from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any, Self, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class Once(cached_property[T_co]):
    """A `cached_property` that one thread makes while the others wait for it.

    Python's own does so no longer since 3.12. What is made already costs no more than there.
    """

    def __init__(self, make: Callable[[Any], T_co]) -> None:
        super().__init__(make)
        self._making = RLock()

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T_co: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T_co:
        """Return what was made, or make it."""
        with self._making:
            return super().__get__(instance, owner)
