import type { VNode } from "preact";
import { Check, Select, TextField } from "../parts/form.tsx";
import type { RequestListState } from "./filter.ts";

interface RequestFiltersProps {
  readonly state: RequestListState;
  readonly onChange: (change: Partial<RequestListState>) => void;
}

const kinds = [
  ["", "any"],
  ["chat", "chats"],
  ["rest", "tables"],
  ["writes", "changes of tables"],
] as const;

const endings = [
  ["", "any"],
  ["pending", "under way"],
  ["complete", "complete"],
  ["refused", "refused"],
  ["broken", "broken or left"],
] as const;

/** Controls for which requests are shown. */
export function RequestFilters({ state, onChange }: RequestFiltersProps): VNode {
  return (
    <div class="row bottom" role="search" aria-label="Filter requests">
      <TextField
        label="Find"
        placeholder="words of a path, a body, a script, a session"
        value={state.find}
        onChange={(find) => onChange({ find })}
      />
      <Select
        label="Kind"
        value={state.kind}
        options={kinds}
        onChange={(kind) => onChange({ kind })}
      />
      <Select
        label="Ended"
        value={state.ended}
        options={endings}
        onChange={(ended) => onChange({ ended })}
      />
      <Check
        label="all sessions"
        checked={state.all !== ""}
        onChange={(all) => onChange({ all: all ? "1" : "" })}
      />
      <Check
        label="from this console"
        checked={state.own !== ""}
        onChange={(own) => onChange({ own: own ? "1" : "" })}
      />
    </div>
  );
}
