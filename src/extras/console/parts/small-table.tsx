import type { ComponentChildren, VNode } from "preact";

interface SmallTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table that is only read. */
export function SmallTable({ label, heads, rows }: SmallTableProps): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
