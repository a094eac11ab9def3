import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useConsole } from "./console-context.ts";

interface CopyButtonProps {
  readonly label: string;
  /** Made when it is asked for. */
  readonly text: () => string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ label, text }: CopyButtonProps): VNode {
  const { announce } = useConsole();
  const [shown, setShown] = useState(label);
  const say = (told: string): void => {
    setShown(told);
    announce(told);
    setTimeout(() => setShown(label), 1500);
  };
  const copy = async (): Promise<void> => {
    try {
      // Pages that come over plain HTTP from elsewhere have no clipboard.
      await navigator.clipboard.writeText(text());
      say("Copied");
    } catch {
      say("Not copied");
    }
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {shown}
    </button>
  );
}
