/** One of the organizations that the sidebar offers. */
export interface ShellOrganization {
  slug: string
  name: string
}
