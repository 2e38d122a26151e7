/** Tones for verdicts. */

/** The tones of each verdict: their frequency in hertz, and when they begin, in seconds. */
const tones = { pass: [[880, 0]], fail: [[220, 0], [220, 0.18]] };
/** The length of a tone, in seconds. */
const length = 0.12;
/** The loudness, as a share of the greatest. */
const loudness = 0.2;

let context = null;

/** Plays the tones of a verdict, if the browser allows it. A high one stands for a pass, and two low ones for a fail. */
export function playVerdict(verdict) {
  try {
    context ??= new AudioContext();
    context.resume();
    for (const [frequency, delay] of tones[verdict]) {
      const start = context.currentTime + delay;
      const [oscillator, volume] = [context.createOscillator(), context.createGain()];
      oscillator.frequency.value = frequency;
      // Without a slope, the tone would begin and end with a click.
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(loudness, start + 0.01);
      volume.gain.setValueAtTime(loudness, start + length - 0.02);
      volume.gain.linearRampToValueAtTime(0, start + length);
      oscillator.connect(volume).connect(context.destination);
      oscillator.start(start);
      oscillator.stop(start + length);
    }
  } catch {
    // Without sound, the word and the shape remain.
  }
}
