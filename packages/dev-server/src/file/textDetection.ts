import { extname } from 'node:path'

/** How much of a file tells its kind. */
const SAMPLE_BYTES = 8192

const binaryExtensions: ReadonlySet<string> = new Set(
  (
    '7z aac avi avif bin bmp br bz2 class dat db dll dmg doc docx dylib eot exe flac gif gz heic ico icns jar jpeg jpg m4a ' +
    'mkv mov mp3 mp4 mpeg node o ogg otf pdf png ppt pptx psd pyc rar so sqlite sqlite3 tar tgz tif tiff ttf wasm wav webm ' +
    'webp woff woff2 xls xlsx xz zip zst'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
)
const textExtensions: ReadonlySet<string> = new Set(
  (
    'astro bash c cc cfg conf cpp cs css csv dart env ex exs go graphql h hpp htm html ini java js json json5 jsonc jsx kt less ' +
    'lock lua md mdx mjs cjs mts cts php pl prisma properties proto py r rb rs sass scala scss sh sql svelte svg swift toml ' +
    'ts tsx txt vue xml yaml yml zig'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
)

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a file, or null for one that is binary. Known extensions decide first, then a sample. A file that is not valid UTF-8
 * counts as binary whatever its name is: as a text it could not be saved without damage.
 */
export function readText(path: string, content: Uint8Array): string | null {
  const extension = extname(path).toLowerCase()
  if (binaryExtensions.has(extension)) return null
  if (!textExtensions.has(extension) && looksBinary(content.subarray(0, SAMPLE_BYTES))) return null
  try {
    return strictUtf8.decode(content)
  } catch {
    return null
  }
}

/** Control bytes of 8 and lower don't occur in texts. */
function looksBinary(sample: Uint8Array): boolean {
  return sample.some((byte) => byte <= 8)
}
