/** What is waited for may take longer than vitest's second: a busy machine lets a process stand for as long. */
import { vi } from "vitest";

const PATIENCE_MS = 30_000;
const { waitFor } = vi;

vi.waitFor = (callback, options = PATIENCE_MS) => waitFor(callback, options);
