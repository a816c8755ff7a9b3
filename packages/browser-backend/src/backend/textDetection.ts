import { extensionOf } from '../common/projectFiles.ts'

const TEXT = new Set(
  '.js .mjs .cjs .jsx .ts .mts .cts .tsx .json .jsonc .css .scss .sass .less .styl .html .htm .vue .svelte .astro .md .mdx .txt .yml .yaml .toml .xml .svg .csv .graphql .gql .sh .env .ini .conf .lock .map .py .rb .go .rs .java .c .h .cpp .php .sql'.split(
    ' ',
  ),
)
const BINARY = new Set(
  '.png .jpg .jpeg .gif .webp .avif .ico .bmp .woff .woff2 .ttf .otf .eot .mp3 .mp4 .wav .ogg .webm .mov .pdf .zip .gz .tgz .tar .wasm .bin .exe .dll .so'.split(
    ' ',
  ),
)
const SAMPLE = 8000
/** Bytes up to this one are in no text, but for those that lay it out, which are higher. */
const LAST_CONTROL = 8

/** Whether a file is no text: by its name where that says it, else by what its beginning looks like. */
export function isBinary(name: string, content: Uint8Array): boolean {
  const extension = extensionOf(name)
  if (TEXT.has(extension)) return false
  if (BINARY.has(extension)) return true
  const sample = content.subarray(0, SAMPLE)
  if (sample.some((byte) => byte <= LAST_CONTROL)) return true
  // A character that the sample cuts in two is none of the file's fault.
  return new TextDecoder().decode(sample, { stream: true }).includes('\uFFFD')
}
