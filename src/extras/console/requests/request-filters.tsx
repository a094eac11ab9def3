import type { VNode } from "preact";
import { Check, Select, TextField } from "../parts/form.tsx";
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

/** Controls for which requests are shown. */
export function RequestFilters({ filter, onChange }: RequestFiltersProps): VNode {
  const change = (part: Partial<RequestFilter>): void => onChange({ ...filter, ...part });
  return (
    <div class="row bottom" role="search" aria-label="Filter requests">
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
      <TextField
        label="Path"
        placeholder="part of path or query"
        value={filter.path}
        onChange={(path) => change({ path })}
      />
      <Check label="from this console" checked={filter.own} onChange={(own) => change({ own })} />
    </div>
  );
}
