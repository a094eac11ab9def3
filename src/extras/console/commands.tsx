import type { VNode } from "preact";
import type { Script } from "../../core/chat/scripts/script.ts";
import type { SessionEntry } from "../../core/control/routes/sessions.ts";
import { consolePath } from "./api/place.ts";
import { presets } from "./faults/presets.ts";
import { useConsole } from "./parts/console-context.ts";
import { type Command, Palette } from "./parts/palette.tsx";
import { hashOf, viewNames } from "./parts/route.ts";
import { useActions, useResource } from "./parts/use-actions.ts";

interface CommandsProps {
  readonly start: string;
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/** What can be done from everywhere, by its name. */
export function Commands({ start, onKeys, onClose }: CommandsProps): VNode {
  const { setup, reload } = useConsole();
  const { value: listed } = useResource<{ readonly sessions: readonly SessionEntry[] }>(
    "/sessions",
  );
  const { value: scripts } = useResource<{ readonly chats: readonly Script[] }>("/chats");
  const { act } = useActions(reload);
  const commands: readonly Command[] = [
    ...viewNames.map((name) => ({ kind: "View", title: name, act: hashOf(name) })),
    ...setup.tables.map(({ name }) => ({
      kind: "Table",
      title: name,
      act: hashOf("tables", name),
    })),
    { kind: "Session", title: "base session", act: inSession() },
    ...(listed?.sessions ?? [])
      .toReversed()
      .map(({ id }) => ({ kind: "Session", title: id, act: inSession(id) })),
    ...presets.map(([title, body]) => ({
      kind: "Plan a fault",
      title,
      act: () => void act(`Fault planned: ${title}.`, "/faults", { method: "POST", body }),
    })),
    ...(scripts?.chats ?? []).map(({ name }) => ({
      kind: "Script",
      title: name,
      act: hashOf("scripts", undefined, { part: name }),
    })),
    { kind: "Help", title: "keys", act: onKeys },
  ];
  return <Palette commands={commands} start={start} onClose={onClose} />;
}

/** The address of what is shown, in another session. */
function inSession(id?: string): string {
  return consolePath(id) + location.hash;
}
