/** Where reading begins, below the bar. */
const readingLine = 140

/** The anchor of the last section whose heading has passed the top of the page; null before the first. Browser only. */
export function sectionInView(anchors: readonly string[]): string | null {
  const passed = anchors.filter((anchor) => {
    const heading = document.getElementById(anchor)
    return heading !== null && heading.getBoundingClientRect().top <= readingLine
  })
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
  return (atEnd && window.scrollY > 0 ? anchors : passed).at(-1) ?? null
}

/** Calls back now and with each later look of the page. @returns ends it */
export function onScroll(look: () => void): () => void {
  let waiting = 0
  const later = () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0
      look()
    })
  }
  look()
  window.addEventListener('scroll', later, { passive: true })
  window.addEventListener('resize', later, { passive: true })
  return () => {
    cancelAnimationFrame(waiting)
    window.removeEventListener('scroll', later)
    window.removeEventListener('resize', later)
  }
}
