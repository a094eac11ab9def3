import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { decodedOrSent } from "../../../core/http/url-parts.ts";
import { Button, Check, Select, TextField } from "../parts/controls.tsx";
import type { RequestListState } from "./filter.ts";

interface RequestFiltersProps {
  readonly state: RequestListState;
  readonly onChange: (change: Partial<RequestListState>) => void;
}

/** The filters with fixed values: their names in the address, their labels, and their values. */
const selections = [
  [
    "kind",
    "Kind",
    [
      ["", "any"],
      ["chat", "chats"],
      ["tables", "tables"],
      ["writes", "changes of tables"],
    ],
  ],
  [
    "ended",
    "Ended",
    [
      ["", "any"],
      ["pending", "under way"],
      ["complete", "complete"],
      ["refused", "refused"],
      ["broken", "broken or left"],
    ],
  ],
] as const;
const switches = [
  ["all", "all sessions"],
  ["own", "from this console"],
] as const;

/** The controls for filtering the list. */
export function RequestFilters({ state, onChange }: RequestFiltersProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      class={isOpen ? "row bottom filters open" : "row bottom filters"}
      role="search"
      aria-label="Filter requests"
    >
      {state.changed !== "" && (
        <p class="row">
          What changed {decodedOrSent(state.changed)}
          <Button text="Show all" class="quiet" onClick={() => onChange({ changed: "" })} />
        </p>
      )}
      {state.session !== "" && (
        <p class="row">
          Only {state.session}
          <Button text="Show all" class="quiet" onClick={() => onChange({ session: "" })} />
        </p>
      )}
      <TextField
        label="Find"
        isFind
        placeholder="words of a path, a header, a body, a script"
        value={state.find}
        onChange={(find) => onChange({ find })}
      />
      <Button
        text="Filters"
        class="on-phone"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {selections.map(([name, label, options]) => (
        <Select
          key={name}
          label={label}
          value={state[name]}
          options={options}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <Check
        class="always"
        label="group by conversation"
        checked={state.flat === ""}
        onChange={(isOn) => onChange({ flat: isOn ? "" : "1" })}
      />
      {switches.map(([name, label]) => (
        <Check
          key={name}
          label={label}
          checked={state[name] !== ""}
          onChange={(isOn) => onChange({ [name]: isOn ? "1" : "" })}
        />
      ))}
    </div>
  );
}
