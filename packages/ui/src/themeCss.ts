import { breakpoints, fonts, openDuration, palettes, radii, textSizes } from './common/tokens.ts'
import type { Palette, ThemeName } from './common/tokens.ts'

function colors(palette: Palette, indent: string): string {
  const { people, ...named } = palette
  return [
    ...Object.entries(named).map(([name, value]) => `--color-${name}: ${value.toLowerCase()};`),
    ...people.map((value, index) => `--color-person-${index + 1}: ${value.toLowerCase()};`),
  ]
    .map((line) => indent + line)
    .join('\n')
}

/** Sizes follow the person's own base size, so they are written in rem. */
const rem = (pixels: number) => `${pixels / 16}rem`

function scheme(name: ThemeName): string {
  return `[data-theme='${name}'] {\n  color-scheme: ${name};\n${colors(palettes[name], '  ')}\n}`
}

/** The text of `theme.css`: the tokens as Tailwind theme variables. A test holds the file and this function together. */
export function themeCss(): string {
  return `/* Generated from tokens.ts by scripts/writeTheme.ts. */
@theme static {
  --color-*: initial;
  --font-*: initial;
  --text-*: initial;
  --radius-*: initial;
  --breakpoint-*: initial;
  --shadow-*: initial;
  --animate-*: initial;
${colors(palettes.dark, '  ')}
  --font-sans: ${fonts.sans};
  --font-mono: ${fonts.mono};
${textSizes.map((size) => `  --text-${size}: ${rem(size)};\n  --text-${size}--line-height: ${size <= 14 ? 1.5 : 1.3};`).join('\n')}
${Object.entries(radii)
  .map(([name, value]) => `  --radius-${name}: ${value}px;`)
  .join('\n')}
${Object.entries(breakpoints)
  .map(([name, value]) => `  --breakpoint-${name}: ${value}px;`)
  .join('\n')}
  --shadow-float: 0 8px 24px rgb(0 0 0 / 0.28);
  --default-transition-duration: ${openDuration}ms;
  --default-transition-timing-function: ease-out;
  --animate-open: open ${openDuration}ms ease-out;
  --animate-spin: spin 1.5s linear infinite;
  --animate-breathe: breathe 1.5s ease-in-out infinite;

  @keyframes open {
    from {
      opacity: 0;
      transform: translateY(2px);
    }
  }
  @keyframes spin {
    to {
      transform: rotate(360deg);
    }
  }
  @keyframes breathe {
    50% {
      opacity: 0.45;
    }
  }
}

${scheme('dark')}

${scheme('light')}
`
}
