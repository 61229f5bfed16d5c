/**
 * What a test file opens and must not leave behind. Vitest runs an `afterAll` of a shared module for the first file
 * of a worker only (`isolate: false`), and one inside a `beforeAll` never.
 */
const open: (() => Promise<void> | void)[] = []

/** Closes at the end of the test file, the newest first. */
export function closeAtEndOfFile(close: () => Promise<void> | void): void {
  open.push(close)
}

export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close()
}
