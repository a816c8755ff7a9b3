/** What programs hand over: anything. The modules of Node take it as it comes. */
export type Loose = ReturnType<typeof JSON.parse>
