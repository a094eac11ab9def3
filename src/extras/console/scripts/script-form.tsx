import type { VNode } from "preact";
import { useConsole } from "../parts/console-context.ts";
import { JsonForm } from "../parts/json-form.tsx";
import { useActions } from "../parts/use-load.ts";

interface ScriptFormProps {
  /** What the form begins with. */
  readonly script: string;
  /** Called with what happened to the script, in words. */
  readonly onDone: (told: string) => void;
}

/** A form for a new script, which the session gets, or the folder of the fixtures. */
export function ScriptForm({ script, onDone }: ScriptFormProps): VNode {
  const { setup } = useConsole();
  const { refusal, act } = useActions(() => undefined);
  const send = async (path: string, body: unknown, told: string): Promise<void> => {
    if (await act(told, path, { method: "POST", body })) onDone(told);
  };
  const { folder } = setup;
  return (
    <JsonForm
      label="Script"
      example={script}
      send="Add before all others"
      failure={refusal}
      onSend={(body) => void send("/chats", body, "Script added before all others.")}
      other={
        folder === null
          ? undefined
          : [
              `Write into ${folder}`,
              (body) => void send("/fixtures/chats", body, `Script written into ${folder}/chats.`),
            ]
      }
    />
  );
}
