/* Makes vimc's sensor one whose every code value is known: linear in exposure and gain above a pedestal, as real sensors
 * are. kernel-modules inserts it into the kernel's vimc-sensor.c.
 *
 * The left half of the picture is lit, and the right half is black. Raw formats of 10 bits are packed, and those of 12
 * bits are not.
 */

#define MODEL_SENSOR_UNITY_GAIN 16

/* Code values above black at 12 bits for each unit of exposure, by colour: red, green, blue. */
static const u32 model_sensor_light[] = {4, 8, 2};

/* The colours of the four pixels of a cell, by media bus code: 0 red, 1 green, 2 blue. */
static const struct {
    u32 code;
    u8 bits;
    u8 colors[4];
} model_sensor_codes[] = {
    {MEDIA_BUS_FMT_SBGGR10_1X10, 10, {2, 1, 1, 0}}, {MEDIA_BUS_FMT_SGBRG10_1X10, 10, {1, 2, 0, 1}},
    {MEDIA_BUS_FMT_SGRBG10_1X10, 10, {1, 0, 2, 1}}, {MEDIA_BUS_FMT_SRGGB10_1X10, 10, {0, 1, 1, 2}},
    {MEDIA_BUS_FMT_SBGGR12_1X12, 12, {2, 1, 1, 0}}, {MEDIA_BUS_FMT_SGBRG12_1X12, 12, {1, 2, 0, 1}},
    {MEDIA_BUS_FMT_SGRBG12_1X12, 12, {1, 0, 2, 1}}, {MEDIA_BUS_FMT_SRGGB12_1X12, 12, {0, 1, 1, 2}},
};

static u32 model_sensor_value(struct vimc_sensor_device *sensor, u32 x, u32 y, u32 bits, const u8 *colors)
{
    u32 shift = 12 - bits;
    u32 light = model_sensor_light[colors[(y & 1) * 2 + (x & 1)]];
    u32 signal = light * sensor->exposure * sensor->gain / MODEL_SENSOR_UNITY_GAIN;
    u32 value = 256 + (x < sensor->mbus_format.width / 2 ? signal : 0);

    return min_t(u32, value >> shift, (1 << bits) - 1);
}

static bool model_sensor_fill(struct vimc_sensor_device *sensor)
{
    u32 width = sensor->mbus_format.width, height = sensor->mbus_format.height, x, y, i;

    for (i = 0; i < ARRAY_SIZE(model_sensor_codes); i++) {
        const u8 *colors = model_sensor_codes[i].colors;
        u32 bits = model_sensor_codes[i].bits;

        if (model_sensor_codes[i].code != sensor->mbus_format.code)
            continue;
        for (y = 0; y < height; y++) {
            u8 *row = sensor->frame + y * width * 2;

            for (x = 0; x < width; x++) {
                u32 value = model_sensor_value(sensor, x, y, bits, colors);

                if (bits == 12) {
                    row[2 * x] = value;
                    row[2 * x + 1] = value >> 8;
                    continue;
                }
                if (!(x & 3))
                    row[x / 4 * 5 + 4] = 0;
                row[x / 4 * 5 + (x & 3)] = value >> 2;
                row[x / 4 * 5 + 4] |= (value & 3) << (2 * (x & 3));
            }
        }
        return true;
    }
    return false;
}

static void model_sensor_add_controls(struct vimc_sensor_device *sensor, const struct v4l2_ctrl_ops *ops)
{
    sensor->exposure = 100;
    sensor->gain = MODEL_SENSOR_UNITY_GAIN;
    v4l2_ctrl_new_std(&sensor->hdl, ops, V4L2_CID_EXPOSURE, 4, 1000, 1, sensor->exposure);
    v4l2_ctrl_new_std(&sensor->hdl, ops, V4L2_CID_ANALOGUE_GAIN, MODEL_SENSOR_UNITY_GAIN, 256, 1, sensor->gain);
}
