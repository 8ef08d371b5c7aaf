/** The version of the API and of its changelog. */
export const API_VERSION = '0.1.0';
