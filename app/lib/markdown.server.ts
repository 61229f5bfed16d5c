import { Marked } from 'marked'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for HTML elements and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** Shows HTML in the text as text, and keeps only links to our own pages and to web addresses. */
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

export const markdownToHtml = (markdown: string): string => marked.parse(markdown, { async: false })
