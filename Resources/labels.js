/** What people read for each `state` of a reading. The server's page says the same. */
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
