import type { VNode } from "preact";
import { useState } from "preact/hooks";

interface ResizeHandleProps {
  /** What the handle resizes, such as `Width of Time`. */
  readonly label: string;
  /** The size, in the unit of `most`. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** How many pixels one unit is. Negative: the size grows when the handle moves to the left. */
  readonly pixels: () => number;
  /** The size as it is drawn when a drag begins. Default: `value`. */
  readonly drawn?: (handle: HTMLElement) => number;
  readonly onChange: (value: number) => void;
}

/** How far an arrow key moves a handle, in pixels. */
const keyStep = 16;

/** A line that can be dragged, or moved with the arrow keys, to make the part beside it wider or narrower. */
export function ResizeHandle(props: ResizeHandleProps): VNode {
  const { label, value, least, most, pixels, drawn = () => value, onChange } = props;
  const [from, setFrom] = useState<{ readonly x: number; readonly value: number }>();
  const set = (wanted: number): void => onChange(Math.max(least, Math.min(most, wanted)));
  const begin = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    setFrom({ x: event.clientX, value: drawn(event.currentTarget) });
  };
  const drag = ({ clientX }: PointerEvent): void => {
    if (from !== undefined) set(from.value + (clientX - from.x) / pixels());
  };
  const press = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // The list uses these keys in another way.
    event.stopPropagation();
    set(drawn(event.currentTarget) + step / pixels());
  };
  return (
    <span
      role="separator"
      class="resize-handle"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={() => setFrom(undefined)}
      onPointerCancel={() => setFrom(undefined)}
      onKeyDown={press}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
