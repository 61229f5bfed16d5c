/** A fault the person at the keyboard can mend: shown as its message alone, without a stack. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError'
}
