import { Marked } from 'marked'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
}

/** HTML inside the text is shown as text, and a link leads to a page or a web address only. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      return /^(https?:\/\/|\/(?!\/)|#)/.test(href)
        ? `<a href="${href.replaceAll('"', '%22')}">${words}</a>`
        : words
    },
    image: ({ text }) => escapeHtml(text),
  },
})

/** A text of ours as HTML. */
export function markdownToHtml(markdown: string): string {
  return marked.parse(markdown, { async: false })
}
