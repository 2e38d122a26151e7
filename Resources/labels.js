/** The label of each `state` of a reading, the same as in the pages that the server renders. */
export const labels = {
  "live": "Live",
  "test-pattern": "Test pattern",
  "starting": "Starting",
  "no-camera": "No camera",
  "denied": "No permission",
  "busy": "Camera in use",
  "no-signal": "No signal",
  "lost": "Camera lost",
  "unsupported": "Format not supported",
  "failed": "Camera failed",
};
