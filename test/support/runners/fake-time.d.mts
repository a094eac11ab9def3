import type { Emulator } from "../../../src/core/emulator/emulator.ts";

export const fixtures: object;
export const kinds: readonly string[];
export function ask(
  emulator: Emulator,
  kind: string,
): { readonly text: string; readonly isOver: boolean; readonly leave: () => void };
export function settle(): Promise<void>;
export function until(holds: () => boolean): Promise<void>;
export function comesInTime(
  emulator: Emulator,
  kind: string,
  advance: (ms: number) => Promise<unknown>,
): Promise<void>;
export function comesByItself(emulator: Emulator, kind: string): Promise<void>;
export function isToldLive(emulator: Emulator): Promise<void>;
