import type { VNode } from "preact";
import type { TableEntry } from "../api/setup.ts";
import { Select } from "../parts/form.tsx";
import { operatorNames, operators } from "../../../core/store/operators.ts";
import type { FilterDraft, TableQuery } from "./query.ts";

interface ConditionsProps {
  readonly table: TableEntry;
  readonly query: TableQuery;
  readonly onChange: (part: Pick<TableQuery, "conditions">) => void;
}

/** The filters of a query. */
export function Conditions({ table, query: { conditions }, onChange }: ConditionsProps): VNode {
  const first = table.columns[0]?.name;
  const add = (): void => {
    if (first === undefined) return;
    onChange({ conditions: [...conditions, { column: first, operator: "eq", value: "" }] });
  };
  return (
    <div class="conditions" role="search" aria-label="Filter rows">
      {conditions.map((condition, index) => (
        <ConditionEditor
          key={index}
          number={index + 1}
          columns={table.columns.map(({ name }) => name)}
          condition={condition}
          onChange={(next) => onChange({ conditions: conditions.toSpliced(index, 1, next) })}
          onRemove={() => onChange({ conditions: conditions.toSpliced(index, 1) })}
        />
      ))}
      <button type="button" class="quiet" disabled={first === undefined} onClick={add}>
        + Filter
      </button>
    </div>
  );
}

interface ConditionEditorProps {
  readonly number: number;
  readonly columns: readonly string[];
  readonly condition: FilterDraft;
  readonly onChange: (condition: FilterDraft) => void;
  readonly onRemove: () => void;
}

const operatorOptions = operatorNames.map((name) => [name, operators[name].sign] as const);

function ConditionEditor(props: ConditionEditorProps): VNode {
  const { number, columns, condition, onChange, onRemove } = props;
  return (
    <fieldset class="condition">
      <legend class="unseen">Filter {number}</legend>
      <Select
        label="Column"
        bare
        value={condition.column}
        options={columns.map((name) => [name, name] as const)}
        onChange={(column) => onChange({ ...condition, column })}
      />
      <Select
        label="Operator"
        bare
        value={condition.operator}
        options={operatorOptions}
        onChange={(operator) => onChange({ ...condition, operator })}
      />
      <input
        aria-label="Value"
        placeholder={operators[condition.operator].placeholder}
        value={condition.value}
        onInput={(event) => onChange({ ...condition, value: event.currentTarget.value })}
      />
      <button type="button" class="quiet" aria-label={`Remove filter ${number}`} onClick={onRemove}>
        ×
      </button>
    </fieldset>
  );
}
