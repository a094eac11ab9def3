import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useConsole } from "./console-context.ts";
import { Button } from "./form.tsx";

interface CopyButtonProps {
  readonly label: string;
  /** Computed on demand. */
  readonly text: () => string | Promise<string>;
}

/** Copies a text to the clipboard, and confirms it. */
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
      // Pages of another machine over plain HTTP have no clipboard.
      await navigator.clipboard.writeText(await text());
      say("Copied");
    } catch {
      say("Not copied");
    }
  };
  return <Button text={shown} class="quiet" onClick={() => void copy()} />;
}
