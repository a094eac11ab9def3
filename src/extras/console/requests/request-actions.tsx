import type { VNode } from "preact";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { curlOf } from "./curl.ts";
import type { RequestEntry } from "./entry.ts";

/** What one can do from a request onwards. */
export function RequestActions({ entry }: { readonly entry: RequestEntry }): VNode {
  const { client, setup } = useConsole();
  const setting = { root: location.origin + client.base, key: setup.keys[entry.interface] };
  return (
    <div class="row">
      <CopyButton label="Copy as curl" text={() => curlOf(entry, setting)} />
    </div>
  );
}
