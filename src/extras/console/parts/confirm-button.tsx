import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./form.tsx";

interface ConfirmButtonProps {
  readonly label: string;
  /** Its object, for screen readers. */
  readonly about?: string;
  readonly onConfirm: () => void;
  readonly tabIndex?: number;
}

const graceMs = 4000;

/** A button that must be pressed twice. */
export function ConfirmButton(props: ConfirmButtonProps): VNode {
  const { label, about = "", onConfirm, tabIndex = 0 } = props;
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!asks) return undefined;
    const timer = setTimeout(() => setAsks(false), graceMs);
    return () => clearTimeout(timer);
  }, [asks]);
  const press = (): void => {
    setAsks(!asks);
    if (asks) onConfirm();
  };
  const shown = asks ? "Really?" : label;
  return (
    <Button
      text={shown}
      tabIndex={tabIndex}
      class={asks ? "danger asking" : "danger"}
      aria-label={`${shown} ${about}`.trim()}
      onClick={press}
      onBlur={() => setAsks(false)}
    />
  );
}
