export const copiedWords = {
  copied: 'Copied',
  failed: 'Not copied. Select and copy it manually',
} as const

/**
 * Copies what the button says itself, else the text of the block it stands in. Browser only.
 * @returns how it ended
 */
export async function copyFrom(button: HTMLElement): Promise<keyof typeof copiedWords> {
  const text = button.dataset.copy ?? button.closest('.code')?.querySelector('pre')?.textContent ?? ''
  try {
    await navigator.clipboard.writeText(text)
    return 'copied'
  } catch {
    return 'failed'
  }
}
