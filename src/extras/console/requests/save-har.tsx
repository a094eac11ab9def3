import type { VNode } from "preact";
import { useConsole } from "../parts/console-context.ts";
import { download } from "../parts/download.ts";

/** Saves the journal, or those of all sessions, as an HTTP archive. */
export function SaveHar({ ofAll }: { readonly ofAll: boolean }): VNode {
  const { client, announce } = useConsole();
  const save = async (): Promise<void> => {
    const answer = await client.control(`/requests?format=har${ofAll ? "&sessions=all" : ""}`);
    if (answer.ok) download("backlot.har", JSON.stringify(answer.value));
    announce(answer.ok ? "Saved as backlot.har." : answer.error.message);
  };
  return (
    <button type="button" class="quiet" title="Save as an HTTP archive" onClick={() => void save()}>
      HAR
    </button>
  );
}
