/** The version of Boxyard that this page was built from. */
declare const __VERSION__: string
