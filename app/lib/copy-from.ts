export const copiedWords = {
  copied: 'Copied',
  failed: 'Not copied. Select and copy it manually',
} as const

/**
 * Copies the text in the button's `data-copy`, or else the text of the code block around it. Browser only.
 * @returns the key of the message to show
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
