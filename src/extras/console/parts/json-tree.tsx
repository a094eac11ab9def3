import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Button, CopyButton } from "./controls.tsx";
import { JsonView } from "./display.tsx";

interface JsonTreeProps {
  readonly value: unknown;
  readonly label: string;
  /** The text as it was sent, if it cannot be made from `value`. */
  readonly raw?: string | undefined;
}

/** How many levels are unfolded at first. */
const firstLevels = 3;

/** A value as a tree that can be folded, shown as text, and copied. */
export function JsonTree({ value, label, raw }: JsonTreeProps): VNode {
  const [isRaw, setRaw] = useState(false);
  const [levels, setLevels] = useState(firstLevels);
  const text = raw ?? (typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
  const isTree = typeof value === "object" && value !== null;
  return (
    <div class="json-tree">
      <div class="row">
        {isTree && !isRaw && (
          <>
            <Button text="Fold" class="quiet" onClick={() => setLevels(1)} />
            <Button text="Unfold" class="quiet" onClick={() => setLevels(Infinity)} />
          </>
        )}
        {isTree && (
          <Button text="Raw" class="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)} />
        )}
        <CopyButton label="Copy" text={() => text} />
      </div>
      {isTree && !isRaw ? (
        <div class="block" tabIndex={0} role="region" aria-label={label}>
          <Branch key={levels} name="" value={value} depth={0} levels={levels} />
        </div>
      ) : (
        <JsonView label={label} value={text} />
      )}
    </div>
  );
}

interface NodeProps {
  /** The key or index; empty for the whole. */
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
  /** How many levels are unfolded. */
  readonly levels: number;
}

function Node({ name, value, ...more }: NodeProps): VNode {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    return <Branch name={name} value={value} {...more} />;
  }
  return (
    <div>
      <Name name={name} />
      <span class={typeof value === "string" ? "" : "violet"}>{shownLeaf(value)}</span>
    </div>
  );
}

function Name({ name }: { readonly name: string }): ComponentChildren {
  return name !== "" && <span class="muted">{name}: </span>;
}

/** The longest text that the tree shows whole, in characters. The raw text shows all of it. */
const longestLeaf = 5000;

function shownLeaf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (value.length <= longestLeaf) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, 200))}… (${value.length} characters)`;
}

/** How many parts of a list are shown at once. */
const partsAtOnce = 100;

function Branch({ name, value, depth, levels }: NodeProps & { readonly value: object }): VNode {
  const [isOpen, setOpen] = useState(depth < levels);
  const [most, setMost] = useState(partsAtOnce);
  const parts = Object.entries(value);
  const count = Array.isArray(value) ? `[${parts.length}]` : `{${parts.length}}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="muted">{count}</span>
      </summary>
      {isOpen &&
        parts
          .slice(0, most)
          .map(([key, part]) => (
            <Node key={key} name={key} value={part} depth={depth + 1} levels={levels} />
          ))}
      {isOpen && parts.length > most && (
        <Button
          text={`${parts.length - most} more`}
          class="quiet"
          onClick={() => setMost(most + partsAtOnce)}
        />
      )}
    </details>
  );
}
