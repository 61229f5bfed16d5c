/** Pixels below the top of the window where reading begins, under the bar. */
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

/** Calls `update` now and after scrolling or resizing, at most once a frame. @returns a function that ends it */
export function onScroll(update: () => void): () => void {
  let frame = 0
  const schedule = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      update()
    })
  }
  update()
  window.addEventListener('scroll', schedule, { passive: true })
  window.addEventListener('resize', schedule, { passive: true })
  return () => {
    cancelAnimationFrame(frame)
    window.removeEventListener('scroll', schedule)
    window.removeEventListener('resize', schedule)
  }
}
