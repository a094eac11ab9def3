import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ModalProps {
  readonly label: string;
  /** Called when it has closed: by Escape, or by a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A window above the page, open from the start. What closes it gives the focus back. */
export function Modal({ label, onClose, children }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      {children}
    </dialog>
  );
}
