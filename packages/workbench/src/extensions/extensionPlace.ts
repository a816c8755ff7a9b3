/** Where extensions of the editor come from, and where they run. */
export interface ExtensionPlace {
  /** Address of the gallery, without a trailing slash: queries at `/extensionquery`, files at `/packages/{publisher}/{name}/{version}/...`. */
  readonly gallery: string
  /** Origin of the frames that extensions run in, with `{{uuid}}` in its first label; never the one of the page. */
  readonly frames: string
  /** Resolves when there is somebody who serves those frames; until then only what extensions say of themselves counts: languages, themes, icons. */
  whenServed(): Promise<void>
  /**
   * Keeps an extension that the person brings as a file (.vsix), where the person has an account. Rejects with an Error whose message is for the
   * person.
   */
  keep?: ((file: Blob) => Promise<KeptExtension>) | undefined
}

export interface KeptExtension {
  /** `publisher.name`. */
  name: string
  /** Absolute address of its folder. */
  location: string
}
