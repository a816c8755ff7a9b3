/** The names of our color themes, as they stand in the settings and in the theme picker. */
export const themeNames = { dark: 'Boxyard Dark', light: 'Boxyard Light' } as const
