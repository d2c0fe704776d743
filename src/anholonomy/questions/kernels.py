"""What one may ask of a system for a GPU: its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anholonomy.formulations.base import AbstractFormulation
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.kernels.kernel import Kernel

__all__ = ["KernelQuestions"]


class KernelQuestions(Model):
    """A model that can be made a kernel."""

    def kernel(
        self,
        by: str | AbstractFormulation | None = None,
        language: str = "cuda",
        at: Mapping[str, object] | None = None,
        events: Mapping[str, Any] | None = None,
    ) -> Kernel:
        """The motion as one text of CUDA (or, the same text, C++) that integrates a motion a thread; `Kernel.save` makes a bundle of it.

        Its speeds are chosen for the state ``at``, by default a generic one; a member at which they wear out ends there and says so.
        ``events`` are functions of the state whose zeros are noted, as in `simulate`.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().kernel(by="kane")
        Kernel('Chaplygin sleigh' by 'kane': x, y, theta, u, omega)
        """
        from anholonomy.kernels.making import kernel_for

        return kernel_for(self, by, language, at, events)
