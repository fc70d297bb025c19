#include "console/ui/pages/try/sample_faces.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <array>

namespace fremis::console::ui {
namespace {

constexpr QSize kSize{320, 400};

struct Looks {
    QColor skin;
    QColor hair;
    QColor shirt;
    double width; ///< of the head, in pixels
    double eyes;  ///< distance of an eye from the middle
    double mouth; ///< half its width
    bool longHair;
};

const std::array<Looks, kSampleFaces> kLooks = {{{"#E8B894", "#2B1B12", "#30507A", 158, 34, 27, false},
                                                 {"#C98F62", "#15100D", "#7A3030", 148, 32, 24, true},
                                                 {"#8A5A3C", "#0D0B0A", "#3B6E4A", 162, 36, 30, false},
                                                 {"#F0C8A8", "#8A5A2B", "#5B4A80", 146, 31, 23, true},
                                                 {"#D9A578", "#555555", "#444444", 166, 37, 28, false},
                                                 {"#B57B4F", "#3A2417", "#806030", 152, 33, 25, true}}};

void paintEye(QPainter& painter, const QPointF& at, const Looks& looks) {
    painter.setBrush(QColor("#FBFBF8"));
    painter.setPen(QPen(looks.skin.darker(170), 2));
    painter.drawEllipse(at, 15, 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor("#3A2A1C"));
    painter.drawEllipse(at, 7, 7);
    painter.setBrush(Qt::black);
    painter.drawEllipse(at, 3.5, 3.5);
    painter.setBrush(Qt::white);
    painter.drawEllipse(at + QPointF(-2, -3), 1.8, 1.8);
    painter.setPen(QPen(looks.hair, 6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at + QPointF(-17, -19), at + QPointF(16, -21));
}

void paintFeatures(QPainter& painter, const QPointF& middle, const Looks& looks) {
    for (const double side : {-looks.eyes, looks.eyes})
        paintEye(painter, middle + QPointF(side, -14), looks);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(looks.skin.darker(150), 4, Qt::SolidLine, Qt::RoundCap));
    QPainterPath nose(middle + QPointF(-5, -4));
    nose.cubicTo(middle + QPointF(-9, 20), middle + QPointF(-16, 28), middle + QPointF(-6, 31));
    nose.lineTo(middle + QPointF(9, 31));
    painter.drawPath(nose);
    painter.setPen(QPen(QColor("#9A4A48"), 6, Qt::SolidLine, Qt::RoundCap));
    QPainterPath mouth(middle + QPointF(-looks.mouth, 58));
    mouth.quadTo(middle + QPointF(0, 68), middle + QPointF(looks.mouth, 58));
    painter.drawPath(mouth);
}

void paintFace(QPainter& painter, const Looks& looks) {
    const QPointF middle(kSize.width() / 2.0, 185);
    const double height = looks.width * 1.32;
    painter.setPen(Qt::NoPen);
    if (looks.longHair) {
        painter.setBrush(looks.hair);
        painter.drawRoundedRect(QRectF(middle.x() - looks.width * 0.6, 70, looks.width * 1.2, 250), 80, 80);
    }
    painter.setBrush(looks.shirt);
    painter.drawRoundedRect(QRectF(40, 315, 240, 140), 70, 60);
    painter.setBrush(looks.skin.darker(115));
    painter.drawRect(QRectF(middle.x() - 32, 260, 64, 70));
    QRadialGradient light(middle + QPointF(-20, -30), height * 0.75);
    light.setColorAt(0, looks.skin.lighter(110));
    light.setColorAt(1, looks.skin.darker(125));
    painter.setBrush(light);
    painter.drawEllipse(middle, looks.width / 2, height / 2);
    for (const double side : {-1.0, 1.0})
        painter.drawEllipse(middle + QPointF(side * looks.width / 2, 4), 9, 18);
    painter.setBrush(looks.hair);
    QPainterPath cap;
    cap.addEllipse(middle + QPointF(0, -8), looks.width / 2 + 8, height / 2 + 6);
    QPainterPath forehead;
    forehead.addRect(QRectF(0, middle.y() - height * 0.27, kSize.width(), kSize.height()));
    painter.drawPath(cap.subtracted(forehead));
    paintFeatures(painter, middle, looks);
}

} // namespace

QByteArray sampleFace(int number) {
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(QColor("#C8D2DC"));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFace(painter, kLooks[std::size_t(number) % kLooks.size()]);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace fremis::console::ui
