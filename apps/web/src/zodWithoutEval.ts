import { z } from 'zod'

// The page's policy refuses code made from strings. Finding that out costs zod an error, and the browser 100 ms at the start of the page.
z.config({ jitless: true })
