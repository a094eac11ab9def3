import type { VNode } from "preact";
import { Field, Select } from "../parts/field.tsx";
import type { RequestFilter } from "./filter.ts";

interface RequestFiltersProps {
  readonly filter: RequestFilter;
  readonly onChange: (filter: RequestFilter) => void;
}

const interfaces = [
  ["", "any"],
  ["rest", "tables"],
  ["chat", "chat"],
] as const;

const methods = ["", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map(
  (method) => [method, method === "" ? "any" : method] as const,
);

const statuses = [
  ["", "any"],
  ["2", "2xx"],
  ["4", "4xx"],
  ["5", "5xx"],
  ["0", "no answer"],
] as const;

/** Says which requests are shown. */
export function RequestFilters({ filter, onChange }: RequestFiltersProps): VNode {
  const change = (part: Partial<RequestFilter>): void => onChange({ ...filter, ...part });
  return (
    <form
      class="bar"
      role="search"
      aria-label="Filter requests"
      onSubmit={(event) => event.preventDefault()}
    >
      <Select
        label="Interface"
        value={filter.interface}
        options={interfaces}
        onChange={(value) => change({ interface: value })}
      />
      <Select
        label="Method"
        value={filter.method}
        options={methods}
        onChange={(method) => change({ method })}
      />
      <Select
        label="Status"
        value={filter.status}
        options={statuses}
        onChange={(status) => change({ status })}
      />
      <Field label="Path" class="grow">
        <input
          type="search"
          placeholder="part of path or query"
          value={filter.path}
          onInput={(event) => change({ path: event.currentTarget.value })}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.own}
          onChange={(event) => change({ own: event.currentTarget.checked })}
        />
        this console's own
      </label>
    </form>
  );
}
