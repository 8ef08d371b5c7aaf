import type { DocsTexts } from './pages.ts';
import type { Samples } from './inserts.ts';

/** The Markdown of each guide. */
export const TEXTS: DocsTexts;

/** Whole programs, as they are shown and as tests run them. */
export const SAMPLES: Samples;
