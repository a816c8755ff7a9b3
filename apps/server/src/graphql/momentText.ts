/** The text of `toISOString`, which takes three times as long; a list says several moments of each entry. */
export function momentText(date: Date): string {
  const year = date.getUTCFullYear()
  if (!(year >= 1000 && year <= 9999)) return date.toISOString()
  const day = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  const milliseconds = date.getUTCMilliseconds()
  const fraction = milliseconds < 10 ? `00${milliseconds}` : milliseconds < 100 ? `0${milliseconds}` : milliseconds
  return `${day}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}.${fraction}Z`
}

const two = (number: number) => (number < 10 ? `0${number}` : `${number}`)
